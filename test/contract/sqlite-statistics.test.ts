import { describeStatistics } from './statistics';
import { openSqliteDocuments } from './support/open-documents';

describeStatistics('SQLite', () => Promise.resolve(openSqliteDocuments()), { runs: 60 });
