import { describeDocumentStore } from '../contract/documents';
import { openSqliteDocuments } from '../contract/support/open-documents';

describeDocumentStore('SQLite', () => Promise.resolve(openSqliteDocuments()));
