import { PICTURE } from './media';
import type { ResourceSource } from '../../packages/mcp/endpoint/sources';

const TEXT = { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' };
const BINARY = { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' };
const WATCHED = { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' };
const TEMPLATE = 'test://template/{id}/data';
const OF_TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/;

export const resourceFixtures: ResourceSource = {
  resources: [TEXT, BINARY, WATCHED],
  templates: [{ uriTemplate: TEMPLATE, name: 'template', mimeType: 'application/json' }],
  read(uri) {
    const id = OF_TEMPLATE.exec(uri)?.[1];
    if (id !== undefined) {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return Promise.resolve([{ uri, mimeType: 'application/json', text }]);
    }
    if (uri === BINARY.uri) return Promise.resolve([{ uri, mimeType: BINARY.mimeType, blob: PICTURE }]);
    const found = [TEXT, WATCHED].find((each) => each.uri === uri);
    const text = 'This is the content of the static text resource.';
    return Promise.resolve(found && [{ uri, mimeType: found.mimeType, text }]);
  },
};
