import { describeFacts } from '../contract/facts';
import { describeModelFacts } from '../contract/model-facts';
import { describeMovedTraces } from '../contract/moved-traces';
import { openSqliteDocuments } from '../contract/support/open-documents';

describeFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
describeModelFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
describeMovedTraces('SQLite', () => Promise.resolve(openSqliteDocuments()));
