import { builtinModules } from 'node:module';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { bareParticiples } from './scripts/lint-rules/bare-participles.mjs';
import { conditionalSpread } from './scripts/lint-rules/conditional-spread.mjs';
import { moduleState } from './scripts/lint-rules/module-state.mjs';
import { plainWords } from './scripts/lint-rules/plain-words.mjs';

const TYPESCRIPT = ['**/*.ts', '**/*.tsx'];
const PLAIN_SCRIPTS = ['**/*.mjs', '**/*.cjs', '**/*.js'];

/** Folders whose code may use the terminal and the environment, because it is never part of a service. */
const TOOLING = ['scripts/**', 'test/**', 'bench/**', 'packages/*/{bench,test,training}/**'];

const NODE_MODULES = ['node:*', ...builtinModules.filter((name) => !name.startsWith('_'))];

const noEnvironment = [
  {
    selector:
      "MemberExpression[property.name='env'][object.name='process'], " +
      "MemberExpression[property.name='env'][object.property.name='process'], " +
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
    message: 'Settings are read in src/settings/config.ts alone; take them as arguments.',
  },
];

/**
 * Refuses state in modules: what a run leaves in a module, the next run finds, but a replay on another worker does
 * not.
 */
const noSharedState = [
  ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind=/^(let|var)$/]',
  ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly/]) > NewExpression[callee.name=/^(Weak)?(Map|Set)$/]',
  // These match static fields of classes that can be assigned, or that hold a value that can be changed.
  'PropertyDefinition[static=true]:not([readonly=true])',
  'PropertyDefinition[static=true] > :matches(ArrayExpression, ObjectExpression, NewExpression[callee.name=/^(Weak)?(Map|Set)$/])',
].map((selector) => ({
  selector,
  message:
    'All runs of a worker share this module, so it keeps nothing: a constant, or a ReadonlyMap or ReadonlySet.',
}));

const noExit = [
  {
    selector:
      "MemberExpression[property.name='exit'][object.name='process'], " +
      "MemberExpression[property.name='exit'][object.property.name='process'], " +
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='exit']",
    message: 'Only an entry point in bin/ ends the process; throw instead.',
  },
];

const noUncheckedJson = [
  {
    selector: "CallExpression[callee.object.name='JSON'][callee.property.name='parse']",
    message:
      'Parse what comes from outside by `parseJson` (src/base/json/parse.ts), which checks its nesting.',
  },
];

/** Without this, `import { env } from 'node:process'` would bypass the two rules above. */
const noProcessModule = {
  paths: ['process', 'node:process'].map((name) => ({ name, message: 'Use the global `process`.' })),
};

export default defineConfig(
  {
    ignores: [
      'node_modules/',
      '**/dist/',
      'data/',
      'coverage/',
      'packages/client/src/generated/',
      // These programs are compiled in a project of their own, where the client is installed.
      'packages/client/test/consumer/',
    ],
  },
  js.configs.recommended,
  {
    plugins: {
      holdfast: {
        rules: {
          'bare-participles': bareParticiples,
          'conditional-spread': conditionalSpread,
          'module-state': moduleState,
          'plain-words': plainWords,
        },
      },
    },
  },
  { rules: { 'holdfast/plain-words': 'error' } },
  // Strings there are sentences of users and words of lexicons.
  {
    files: [
      'test/**',
      'packages/records/test/**',
      'bench/memory/quality/**',
      '**/stop-words.ts',
      '**/everyday-words.ts',
      '**/near-duplicate.ts',
      'src/conversation/answer-by-rules.ts',
      '**/self-test-cases.ts',
    ],
    rules: { 'holdfast/plain-words': ['error', { strings: false }] },
  },
  // Names there are those of grammar and of what a user said.
  {
    files: ['packages/plain-english/**'],
    rules: { 'holdfast/plain-words': ['error', { strings: false, names: false }] },
  },
  {
    files: [
      '{api,requests,src,workflows,activities,worker,temporal,bin}/**/*.ts',
      'packages/*/!(test|bench|training)/**/*.{ts,tsx}',
      'packages/records/*.ts',
    ],
    rules: { 'holdfast/bare-participles': 'error', 'holdfast/conditional-spread': 'error' },
  },
  {
    files: PLAIN_SCRIPTS,
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        URL: 'readonly',
      },
    },
  },
  {
    files: ['**/*.cjs', '**/*.js'],
    languageOptions: { sourceType: 'commonjs', globals: { __dirname: 'readonly' } },
  },
  {
    rules: {
      // Code that reads text of callers has to look for control characters.
      'no-control-regex': 'off',
      'max-lines': ['error', { max: 400 }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-duplicate-imports': 'error',
    },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/consistent-type-exports': 'error',
      // A default branch that calls assertNever is as exhaustive as a case for each member.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // An arrow function that returns the result of a void call is shorter than one with a body in braces.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // Ports are objects of closures, so their methods may be destructured.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A type argument may repeat its default where that is easier to read.
      '@typescript-eslint/no-unnecessary-type-arguments': 'off',
      // Methods of a port are asynchronous, also in an adapter that has nothing to await.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: TYPESCRIPT,
    ignores: TOOLING,
    rules: {
      'no-console': 'error',
      'no-restricted-imports': ['error', noProcessModule],
      'no-restricted-syntax': ['error', ...noEnvironment, ...noExit],
    },
  },
  {
    // These folders read what other servers and callers have sent.
    files: [
      'src/{access,backup,egress,llm}/**/*.ts',
      'packages/mcp/client/**/*.ts',
      'src/stores/{pinecone,neo4j/memory}/**/*.ts',
      'src/tools/builtin/**/*.ts',
      'packages/records/domain/import/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...noEnvironment, ...noExit, ...noUncheckedJson] },
  },
  // This file runs while the project is built, and never in a worker.
  { files: ['worker/build-bundle.ts'], rules: { 'no-console': 'off' } },
  { files: ['src/settings/config.ts'], rules: { 'no-restricted-syntax': ['error', ...noExit] } },
  {
    files: ['bin/**/*.ts', 'packages/records/bin/**/*.ts'],
    rules: { 'no-console': 'off', 'no-restricted-syntax': ['error', ...noEnvironment] },
  },
  {
    // An entry point, which uses the environment and ends the process.
    files: ['packages/client/src/cli/main.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // neo4j-driver declares its plain option objects as classes that cannot be constructed.
    files: ['src/stores/neo4j/{connection,open-driver}.ts', 'test/support/neo4j.ts'],
    rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' },
  },
  {
    // Workflow code, and the code bundled with it, runs in a sandbox and is replayed. It must not use anything that is
    // different in the sandbox or from run to run.
    files: [
      '{,packages/records/}workflows/**/*.ts',
      '{src,packages/records}/contracts/**/*.ts',
      'src/templates/**/*.ts',
    ],
    rules: {
      'holdfast/module-state': 'error',
      'no-restricted-globals': [
        'error',
        ...['process', 'Buffer', 'require', 'module', '__dirname', '__filename', 'setImmediate'].map(
          (name) => ({
            name,
            message: 'Workflow code runs in a sandbox without Node.js.',
          }),
        ),
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: NODE_MODULES.map((name) => ({ name, message: 'Workflow code has no Node.js modules.' })),
          patterns: [{ group: ['node:*'], message: 'Workflow code has no Node.js modules.' }],
        },
      ],
      'no-restricted-syntax': ['error', ...noEnvironment, ...noExit, ...noSharedState],
    },
  },
  {
    // Tests pass broken values on purpose, and read values without a known type.
    files: ['test/**/*.ts', 'packages/*/test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/restrict-plus-operands': 'off',
    },
  },
);
