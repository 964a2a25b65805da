import { testFolders } from './held';

testFolders([
  ['7d9be481', 'before keys had a tenant'],
  ['44cde3bb', 'before facts were drawn'],
  ['2f40cab1', 'before facts and archived copies belonged to a graph'],
  ['ba6ef708', 'with all forms of 26 November'],
  ['33b7cf37', 'before words had parts'],
]);
