import { describeFacts } from './facts';
import { describeModelFacts } from './model-facts';
import { describeMovedTraces } from './moved-traces';
import { openSqliteDocuments } from './support/open-documents';

describeFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
describeModelFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
describeMovedTraces('SQLite', () => Promise.resolve(openSqliteDocuments()));
