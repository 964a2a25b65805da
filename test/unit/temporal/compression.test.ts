import { compressionFor } from '../../../temporal/engine';

test.each(['127.0.0.1:7233', 'localhost:7233', '[::1]:7233'])(
  'requests to %s are not compressed',
  (address) => {
    expect(compressionFor({ address })).toEqual({ grpcCompression: { codec: 'none' } });
  },
);

test.each(['10.0.0.7:7233', 'localhost.example.com:7233', 'temporal:7233', undefined])(
  'requests to %s are compressed as the SDK does by default',
  (address) => expect(compressionFor(address === undefined ? {} : { address })).toEqual({}),
);
