import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

/** The fields of the ONNX format that a table look-up needs (github.com/onnx/onnx, onnx/onnx.proto). */
const ONNX = `
  syntax = "proto3";
  message ModelProto { int64 ir_version = 1; GraphProto graph = 7; repeated Opset opset_import = 8; }
  message Opset { string domain = 1; int64 version = 2; }
  message GraphProto {
    repeated NodeProto node = 1; string name = 2; repeated TensorProto initializer = 5;
    repeated ValueInfo input = 11; repeated ValueInfo output = 12;
  }
  message NodeProto { repeated string input = 1; repeated string output = 2; string name = 3; string op_type = 4; }
  message TensorProto { repeated int64 dims = 1; int32 data_type = 2; string name = 8; bytes raw_data = 9; }
  message ValueInfo { string name = 1; TypeProto type = 2; }
  message TypeProto { TensorType tensor_type = 1; }
  message TensorType { int32 elem_type = 1; Shape shape = 2; }
  message Shape { repeated Dim dim = 1; }
  message Dim { oneof value { int64 dim_value = 1; string dim_param = 2; } }
`;
const FLOAT = 1;
const INT64 = 7;
const MARKS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');
const VOCABULARY = [...MARKS, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`)];

export interface TinyModel {
  readonly folder: string;
  /** The vector of a token: a letter, `##` and a letter inside of a word, or a mark such as `[CLS]`. */
  rowOf(token: string): Float32Array;
}

/**
 * Writes a model that transformers.js loads as BERT: its tokens are letters, and each token's output is the token's row
 * in a table of pseudo-random numbers.
 */
export function writeTinyModel(folder: string, { dimensions = 768, positions = 512 } = {}): TinyModel {
  const table = Float32Array.from({ length: VOCABULARY.length * dimensions }, (_, at) =>
    Math.sin(at * 12.9898 + 78.233) > 0 ? Math.sin(at * 1.7) : Math.cos(at * 2.3),
  );
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), graphBytes(table, dimensions));
  const json = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', { model_type: 'bert', hidden_size: dimensions, max_position_embeddings: positions });
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: 512 });
  json('tokenizer.json', tokenizer());
  return {
    folder,
    rowOf(token) {
      const row = VOCABULARY.indexOf(token);
      if (row < 0) throw new Error(`no token ${token}`);
      return table.slice(row * dimensions, (row + 1) * dimensions);
    },
  };
}

function graphBytes(table: Float32Array, dimensions: number): Uint8Array {
  const type = protobuf.parse(ONNX, { keepCase: true }).root.lookupType('ModelProto');
  const value = (name: string, elementType: number, sizes: object[]) => ({
    name,
    type: { tensor_type: { elem_type: elementType, shape: { dim: sizes } } },
  });
  const tokens = [{ dim_param: 'batch' }, { dim_param: 'tokens' }];
  const graph = {
    name: 'tiny',
    node: [
      { op_type: 'Gather', name: 'look up', input: ['table', 'input_ids'], output: ['last_hidden_state'] },
    ],
    initializer: [
      {
        name: 'table',
        data_type: FLOAT,
        dims: [VOCABULARY.length, dimensions],
        raw_data: new Uint8Array(table.buffer),
      },
    ],
    input: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => value(name, INT64, tokens)),
    output: [value('last_hidden_state', FLOAT, [...tokens, { dim_value: dimensions }])],
  };
  const model = { ir_version: 8, opset_import: [{ domain: '', version: 14 }], graph };
  return type.encode(type.fromObject(model)).finish();
}

function tokenizer(): object {
  const mark = (name: string) => ({ SpecialToken: { id: name, type_id: 0 } });
  return {
    version: '1.0',
    added_tokens: MARKS.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [mark('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, mark('[SEP]')],
      pair: [],
      special_tokens: {},
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
    },
  };
}
