import { describeFacts } from './facts';
import { describeModelFacts } from './model-facts';
import { openSqliteDocuments } from './support/open-documents';

describeFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
describeModelFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
