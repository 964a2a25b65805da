import { openSqliteDocuments } from '../contract/support/open-documents';
import { describeUsage } from '../contract/usage';

describeUsage('SQLite', () => Promise.resolve(openSqliteDocuments()));
