/** Snippets for agents. They contain the server's address and, once made, the key. */

export interface SnippetFacts {
  /** Such as `http://127.0.0.1:7400`. */
  readonly origin: string;
  /** The key, or a placeholder for it. */
  readonly key: string;
}

/** An address that all agents can open. */
const FIRST_PAGE = 'https://example.com';

export function curlSnippet({ origin, key }: SnippetFacts): string {
  return `API=${origin}/api/v1
KEY=${key}

# 1. Start a session; it appears on the wall
S=$(curl -s $API/sessions -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name":"my first session","url":"${FIRST_PAGE}"}' \\
  | grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4)

# 2. Read the page: each line that can be acted on has a ref
curl -s "$API/sessions/$S/tabs/active/snapshot" -H "Authorization: Bearer $KEY"

# 3. Act: use a ref of the snapshot
curl -s $API/sessions/$S/tabs/active/act -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"kind":"click","ref":"e1"}'`;
}

/** The shortest snippet: creates a session, which appears on the wall. */
export function startSnippet({ origin, key }: SnippetFacts): string {
  return `curl ${origin}/api/v1/sessions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"url":"${FIRST_PAGE}"}'`;
}

export function nodeSnippet({ origin, key }: SnippetFacts): string {
  return `// node agent.mjs
const api = '${origin}/api/v1';
const headers = { authorization: 'Bearer ${key}', 'content-type': 'application/json' };

async function call(method, path, body) {
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  return answer.json();
}

const session = await call('POST', '/sessions', { name: 'my first session', url: '${FIRST_PAGE}' });
const tab = \`/sessions/\${session.id}/tabs/active\`;

const page = await call('GET', \`\${tab}/snapshot\`);
console.log(page.text);

const reply = await call('POST', \`\${tab}/act\`, { kind: 'click', role: 'link', name: 'Learn more' });
console.log(reply.ok ? 'clicked' : reply.error.hint);`;
}

export const DEFAULT_CDP_URL = 'http://127.0.0.1:9222';

/** Chrome opens the port only with a profile folder other than the default one. */
export const CHROME_COMMAND = 'google-chrome --remote-debugging-port=9222 --user-data-dir="$HOME/agent-chrome"';

export function attachSnippet({ origin, key }: SnippetFacts, cdpUrl: string): string {
  return `curl -s ${origin}/api/v1/browsers -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{"cdpUrl":"${cdpUrl}"}'`;
}
