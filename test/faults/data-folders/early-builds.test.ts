import { testFolders } from './held';

testFolders([
  ['2943d44f', 'the first that could start'],
  ['fb4f265d', 'before codes of vectors were in chunks, without records and turns'],
  ['08d833ba', 'before each process counted apart and codes were in rows; killed'],
  ['b4385c01', 'before the search attribute HoldfastWaiting'],
]);
