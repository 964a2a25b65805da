import Provider from 'oidc-provider';

/**
 * An authorization server as a process of its own, with registration, PKCE, resource indicators and refresh tokens that may be used
 * once. It reports grants and what it has issued to the process that started it, which sets `lifetime` and `locked`.
 */
const { port, secret, callback } = JSON.parse(process.argv[2]);
let lifetime = 3_600;
let locked = false;

const provider = new Provider(`http://127.0.0.1:${port}`, {
  scopes: ['openid', 'offline_access', 'shop'],
  clients: [
    // The server that asks whether tokens are valid.
    { client_id: 'shop', client_secret: secret, redirect_uris: [], grant_types: [], response_types: [] },
    {
      client_id: 'given',
      client_secret: secret,
      application_type: 'native',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
    },
  ],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  cookies: { keys: [secret] },
  // A locked account still logs in, and its tokens are not renewed.
  findAccount: (context, id) =>
    locked && context.oidc.route === 'token' ? undefined : { accountId: id, claims: () => ({ sub: id }) },
  features: {
    registration: { enabled: true },
    introspection: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'shop',
        audience: resource,
        accessTokenTTL: lifetime,
        accessTokenFormat: 'opaque',
      }),
    },
  },
});

for (const kind of ['access_token', 'refresh_token', 'authorization_code'])
  provider.on(`${kind}.saved`, ({ jti }) => process.send({ issued: jti }));
provider.on('registration_create.success', (_context, { clientSecret }) =>
  process.send({ issued: clientSecret }),
);
provider.on('grant.success', ({ oidc: { params } }) =>
  process.send({ grant: params.grant_type, issued: params.code_verifier }),
);
for (const event of ['grant.error', 'server_error'])
  provider.on(event, (_context, error) => process.send({ refused: error.message }));

process.on('message', (settings) => {
  ({ lifetime = lifetime, locked = locked } = settings);
  process.send({ set: true });
});
process.on('disconnect', () => process.exit(0));
provider.listen(port, '127.0.0.1', () => process.send({ listening: true }));
