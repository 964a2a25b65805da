import { describeAgents } from '../contract/agents';
import { openSqliteDocuments } from '../contract/support/open-documents';

describeAgents('SQLite', () => Promise.resolve(openSqliteDocuments()));
