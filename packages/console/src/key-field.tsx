import { refusal, takeKey } from './session';

/** Asks for the key, in the place of the pane. */
export function KeyField() {
  return (
    <form
      class="key-field"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('key');
        if (typeof given === 'string' && given.trim() !== '') takeKey(given.trim());
      }}
    >
      <h2>This service needs a key</h2>
      <p>
        It stays in this tab and is forgotten when you close it. <code>npm run keys -- create --name me</code>{' '}
        makes one.
      </p>
      <label>
        Key or token
        <input name="key" type="password" autocomplete="off" spellcheck={false} aria-describedby="refusal" />
      </label>
      <p id="refusal" role="alert">
        {refusal.value}
      </p>
      <button type="submit" class="main">
        Use this key
      </button>
    </form>
  );
}
