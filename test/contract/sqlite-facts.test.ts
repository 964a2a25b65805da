import { describeFacts } from './facts';
import { openSqliteDocuments } from './support/open-documents';

describeFacts('SQLite', () => Promise.resolve(openSqliteDocuments()));
