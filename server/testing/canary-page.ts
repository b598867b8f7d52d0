/**
 * Secret fields of every kind, and a page that repeats their values on request, in nine encodings, in every place that
 * a page has.
 */
export const CANARY_PAGE = `<title>Harbour</title><meta charset="utf-8"><body><form onsubmit="return false">
<input id="password" type="password" aria-label="Word one"><input id="toggled" type="password" aria-label="Word two"><input id="shown" type="password" aria-label="Word three">
<input id="key" name="api_key" aria-label="Word four"><input id="code" autocomplete="one-time-code" aria-label="Word five"><input id="card" autocomplete="cc-number" aria-label="Word six"><input id="labelled" aria-label="支付密码">
<input id="plain" aria-label="City"></form><button id="show" onclick="toggled.type = 'text'; shown.type = 'text'">Show password</button><button id="echo">Echo</button><button id="ask">Ask</button><div id="said"></div>
<script>
  const html = (t) => t.replace(/[&<>"']/g, (c) => '&#' + c.codePointAt(0) + ';');
  const bytes = (t) => String.fromCharCode(...new TextEncoder().encode(t));
  const ways = (t) => [t, JSON.stringify({ t }), html(t), encodeURIComponent(t), new URLSearchParams({ q: t }).toString(), btoa(bytes(t)), btoa('x' + bytes(t)), btoa('xy' + bytes(t)).replaceAll('+', '-').replaceAll('/', '_'),
    [...bytes(t)].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join(''), [...t].reverse().join('')];
  const secrets = () => [...document.querySelectorAll('form input')].filter((field) => field.id !== 'plain' && field.value !== '').map((field) => field.value);
  window.told = 0;
  const tell = (t, extra) => ways(t).forEach((way, at) => {
    document.title = 'Now ' + way; history.replaceState(null, '', '?q=' + encodeURIComponent(way)); history.pushState(null, '', '#' + way);
    console.log('typed', way, { way }); console.error(new Error('no ' + way)); setTimeout(() => { throw new Error('thrown ' + way); });
    fetch('/said?' + encodeURIComponent(way), { method: 'POST', headers: { 'x-way': encodeURIComponent(way) }, body: JSON.stringify({ way }) });
    const div = document.createElement('div'); div.textContent = 'read ' + way; div.title = way; div.setAttribute('data-way', way); said.append(div);
    const button = document.createElement('button'); button.setAttribute('aria-label', 'Use ' + way); said.append(button);
    const link = document.createElement('a'); link.href = '/to/' + encodeURIComponent(way) + '?way=' + encodeURIComponent(way); link.textContent = 'go ' + at; said.append(link);
    document.cookie = 'way' + at + '=' + encodeURIComponent(way); localStorage.setItem('way' + at, way); sessionStorage.setItem(way, at); window.name = way;
    if (at === 0 && extra) { const save = document.createElement('a'); save.href = URL.createObjectURL(new Blob(['x'])); save.download = 'for ' + t + '.txt'; save.click(); new WebSocket('ws://' + location.host + '/ws?' + encodeURIComponent(t)).onerror = () => {}; open('/pop?' + encodeURIComponent(t)); }
  });
  echo.onclick = () => { said.replaceChildren(); secrets().forEach((t, at) => tell(t, at === 0)); window.told += 1; };
  ask.onclick = () => alert('Is it ' + secrets().join(' or ') + '?');
</script>`;
