import { describeDocumentStore } from './documents';
import { openSqliteDocuments } from './support/open-documents';

describeDocumentStore('SQLite', () => Promise.resolve(openSqliteDocuments()));
