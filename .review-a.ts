import http from 'node:http';
import net from 'node:net';
import { io } from 'socket.io-client';
import { startTestServer, TEST_KEY } from '@/server/testing/server';
import { serveHtml } from '@/server/testing/stage';
const PAGE = `<!doctype html><meta charset="utf-8"><title>p</title><input id=f aria-label=Field><input id=pw type=password aria-label="Kennwort"><button id=b onclick="setTimeout(()=>{window.answer=confirm('Delete?')},0)">B</button>`;
process.on('uncaughtException', (e) => console.log('!!! UNCAUGHT', String(e?.stack).split('\n').slice(0,4).join(' | ')));
process.on('unhandledRejection', (e: any) => console.log('!!! UNHANDLED', String(e?.stack ?? e).split('\n').slice(0,4).join(' | ')));
const s = await startTestServer(); const page = await serveHtml(PAGE); const url = `http://127.0.0.1:${page.port}/`;
const cookie = await s.signIn();
const ctl = async (id: string, tab: string, body: unknown) => { const r = await fetch(`${s.origin}/api/v1/sessions/${id}/tabs/${tab}/control`, { method: 'POST', headers: { cookie, origin: s.origin, 'content-type': 'application/json' }, body: JSON.stringify(body) }); return { status: r.status, body: await r.json() as any }; };
const timed = async <T>(p: Promise<T>) => { const t = performance.now(); const v = await p; return { ms: Math.round(performance.now() - t), v }; };
const hubS = (id: string) => s.running.services.hub.get(s.running.services.access.owner.workspace, id);
const only = process.argv[2];
const step = async (name: string, f: () => Promise<void>) => { if (only && !name.startsWith(only)) return; try { await f(); } catch (e: any) { console.log(name, 'FAILED', e?.message); } };
await step('C', async () => {
  const { id } = await s.session(url, 'a'); 
  await s.api('POST', `/api/v1/sessions/${id}/tabs`, { url }, { 'x-agent': 'a' });
  await ctl(id, 't2', { do: 'take', scope: 'tab' });
  const r = await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'tab', do: 'close', index: 1 }, { 'x-agent': 'a' });
  console.log('C close of person-held tab by index:', JSON.stringify((r.body as any).ok), (r.body as any).error?.code, hubS(id).book.all().map(x => x.tab.id));
});
await step('D', async () => {
  const { id } = await s.session(url, 'a');
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'type', selector: '#pw', text: 'hunter2-selector' }, { 'x-agent': 'a' });
  const snap = await s.snapshot(id); const ref = snap.refs.find(r => r.name === 'Kennwort')?.ref;
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'type', ref, text: 'hunter2-ref' }, { 'x-agent': 'a' });
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t9/act`, { kind: 'type', selector: '#pw', text: 'hunter2-refused' }, { 'x-agent': 'a' });
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'press', selector: '#pw', keys: ['h', 'u', 'n', 't', '3'] }, { 'x-agent': 'a' });
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'evaluate', fn: '1' }, { 'x-agent': 'a' });
  const tl = (await s.api('GET', `/api/v1/sessions/${id}/timeline`)).body as any[];
  console.log('D leaks:', tl.map(e => e.text).filter(t => /hunter2|h, u/.test(t)));
});
await step('E', async () => {
  const { id } = await s.session(url, 'a');
  await s.act(id, { kind: 'dialog', do: 'arm', accept: true }, 'a');
  await ctl(id, 't1', { do: 'take' });
  const seat = hubS(id).activeSeat();
  await seat.tab.sessions.commands.send('Runtime.evaluate', { expression: 'document.querySelector("#b").click()' });
  await new Promise(r => setTimeout(r, 500));
  console.log('E armed survives takeover: dialog open =', !!seat.tab.dialogs.current);
});
await step('F', async () => {
  const { id } = await s.session(url, 'boss'); await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/control`, { do: 'release' }, { 'x-agent': 'boss' });
  const k = (await s.api('POST', '/api/v1/keys', { name: 'victim' })).body as any;
  const typing = timed(fetch(`${s.origin}/api/v1/sessions/${id}/tabs/t1/act`, { method: 'POST', headers: { authorization: `Bearer ${k.key}`, 'content-type': 'application/json' }, body: JSON.stringify({ kind: 'type', selector: '#f', text: 'x'.repeat(60), slowly: true }) }).then(r => r.json() as any));
  await new Promise(r => setTimeout(r, 800));
  await s.api('DELETE', `/api/v1/keys/${k.id}`); const t = performance.now();
  const { v } = await typing;
  console.log('F revoked key: answered after', Math.round(performance.now() - t), 'ms', v.ok, v.error?.code, 'lease', hubS(id).control('t1').state, hubS(id).control('t1').holder?.name);
});
await step('G', async () => {
  const { id } = await s.session(url, 'a');
  const slow = s.act(id, { kind: 'evaluate', fn: ';'.repeat(99_000) + 'x', timeoutMs: 500 }, 'a');
  await new Promise(r => setTimeout(r, 20));
  const { ms } = await timed(fetch(`${s.origin}/healthz`)); console.log('G healthz while fn of 99k semicolons:', ms, 'ms'); await slow;
});
await step('M', async () => {
  const { id } = await s.session(url, 'a'); await s.api('POST', `/api/v1/sessions/${id}/tabs`, { url }, { 'x-agent': 'a' });
  const w = timed(s.api('POST', `/api/v1/sessions/${id}/tabs/t2/act`, { kind: 'wait', url: '**/never', timeoutMs: 6000 }, { 'x-agent': 'b' }));
  await new Promise(r => setTimeout(r, 300)); await s.api('DELETE', `/api/v1/sessions/${id}/tabs/t2`, undefined, { 'x-agent': 'a' });
  const r = await w; console.log('M wait on closed tab:', r.ms, (r.v.body as any).error?.code);
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'evaluate', fn: '(window.n=0, Object.defineProperty(document, "zz", {get(){window.n++;return 1}}),1)' }, { 'x-agent': 'a' });
  await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'wait', fn: 'document.zz === 2', timeoutMs: 300 }, { 'x-agent': 'a' });
  const seat = hubS(id).book.find('t1'); const get = async () => (await seat.tab.sessions.sentinel.send('Runtime.evaluate', { expression: 'window.n' })).result.value;
  const n1 = await get(); await new Promise(r => setTimeout(r, 1000)); console.log('M wait fn goes on after its deadline:', n1, '->', await get());
  const before = (seat.tab.page.onChange as any); 
  for (let i = 0; i < 5; i++) await s.api('POST', `/api/v1/sessions/${id}/tabs/t1/act`, { kind: 'wait', any: [{ timeMs: 10 }, { url: '**/never' }] }, { 'x-agent': 'a' });
});
await step('K', async () => {
  const { hostname, port } = new URL(s.origin); let sent = 0;
  const out = await new Promise<string>((res) => { const q = http.request({ hostname, port, method: 'POST', path: '/api/v1/sessions', headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', 'transfer-encoding': 'chunked' } }, (r) => { r.resume(); res(String(r.statusCode)); stop = true; }); let stop = false; q.on('error', (e) => res('err ' + e.message)); const chunk = Buffer.alloc(1 << 20, 32); const push = () => { if (stop) return; if (sent >= 80) { q.end(); return; } sent++; if (q.write(chunk)) setImmediate(push); else q.once('drain', push); }; push(); });
  console.log('K chunked body: answered', out, 'after MiB', sent, 'rss', Math.round(process.memoryUsage().rss / 1e6));
});
await step('L', async () => {
  const { host, hostname, port } = new URL(s.origin);
  for (const path of ['/socket.io/?EIO=4&transport=polling', '/socket.io/?EIO=4&transport=websocket', '/socket.io']) { const r = await fetch(`${s.origin}${path}`); console.log('L', path, r.status, (await r.text()).slice(0, 90)); }
  const ended = await new Promise<string>((res) => { const c = net.connect(Number(port), hostname, () => c.write(`GET /socket.iox HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`)); c.on('close', () => res('closed')); c.on('data', (d) => res('data ' + String(d).slice(0, 40))); setTimeout(() => { c.destroy(); res('open after 8 s'); }, 8000); });
  console.log('L upgrade /socket.iox', ended);
});
await step('H', async () => {
  const { id } = await s.session(url, 'a'); await s.act(id, { kind: 'press', key: 'Shift' }, 'a');
  const seat = hubS(id).activeSeat();
  for (let i = 0; i < 10; i++) await seat.tab.sessions.commands.send('Runtime.evaluate', { expression: '{const w=window.open("about:blank");setTimeout(()=>w.close(),' + i * 8 + ')}', userGesture: true });
  await new Promise(r => setTimeout(r, 2500));
  console.log('H tabs', hubS(id).book.all().map(x => x.tab.id), 'leases', [...hubS(id).desk.leases].map(([k, l]) => `${k}:${l.state}`));
});
page.close(); await s.close(); console.log('end'); process.exit(0);
