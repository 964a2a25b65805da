import { describeStatistics } from '../contract/statistics';
import { openSqliteDocuments } from '../contract/support/open-documents';

describeStatistics('SQLite', () => Promise.resolve(openSqliteDocuments()), { runs: 60 });
