import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFixtureProject, ROOT } from '../../support/fixture-project';

/** Notes its begin and its end, and waits meanwhile until this number of suites has begun. */
const suite = (name: string, waitsFor: number): string => `
  const { appendFileSync, readFileSync } = require('node:fs');
  test('notes', async () => {
    appendFileSync('notes', 'begin ${name}\\n');
    const begun = () => readFileSync('notes', 'utf8').split('begin').length - 1;
    while (begun() < ${waitsFor}) await new Promise((done) => setTimeout(done, 10));
    appendFileSync('notes', 'end ${name}\\n');
  });`;

test('suites of the serial runner run when others have ended, one after another', async () => {
  const project = makeFixtureProject();
  try {
    project.write(
      'jest.config.js',
      `module.exports = {
        maxWorkers: 2,
        projects: [
          { displayName: 'alone', roots: ['<rootDir>/alone'],
            runner: ${JSON.stringify(join(ROOT, 'scripts', 'checks', 'serial-runner.mjs'))} },
          { displayName: 'other', roots: ['<rootDir>/other'] },
        ].reverse(),
      };`,
    );
    for (const name of ['a', 'b']) {
      // Each of the others ends only once both have begun, so they show that suites run side by side.
      project.write(`other/${name}.test.js`, suite(name, 2));
      project.write(`alone/${name}.test.js`, suite(`${name} alone`, 3));
    }
    await project.runTool('jest/bin/jest.js', ['--json', '--cacheDirectory', 'cache']);
    const notes = readFileSync(join(project.path, 'notes'), 'utf8').trimEnd().split('\n');
    expect(notes.slice(0, 4).sort()).toEqual(['begin a', 'begin b', 'end a', 'end b']);
    const [first, second] = notes[4] === 'begin a alone' ? ['a', 'b'] : ['b', 'a'];
    expect(notes.slice(4)).toEqual(
      [first, second].flatMap((name) => [`begin ${name} alone`, `end ${name} alone`]),
    );
  } finally {
    project.remove();
  }
});
