import { render } from 'preact';
import { App } from './app';
import { followTheme } from './theme';
import './styles/base.css';
import './styles/parts.css';
import './styles/runs.css';
import './styles/forms.css';
import './styles/chat-memory.css';
import './styles/operate.css';
import './styles/try.css';

followTheme();
const root = document.getElementById('console');
if (root !== null) render(<App />, root);
