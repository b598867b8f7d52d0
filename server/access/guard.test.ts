import { describe, expect, it } from 'vitest';
import { WheelhouseError } from '@/lib/errors/error';
import { addressFromText, checkNavigation, createGuard } from './guard';

function answer(work: () => string): string {
  try {
    return work();
  } catch (thrown) {
    return thrown instanceof WheelhouseError ? thrown.code : String(thrown);
  }
}

const PRIVILEGED = [
  'file:///etc/passwd',
  'FILE:///etc/passwd',
  'file:etc/passwd',
  ' file:///etc/passwd',
  '\tfile:///etc/passwd',
  'fi\nle:///etc/passwd',
  '\u0000file:///etc/passwd',
  '\u0001file:///x',
  'file://localhost/etc/passwd',
  'view-source:file:///etc/passwd',
  'view-source:http://example.com',
  'chrome://settings',
  'chrome://version/',
  'chrome-extension://abc/x.html',
  'chrome-untrusted://print',
  'devtools://devtools/bundled/inspector.html',
  'edge://settings',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript://example.com/%0aalert(1)',
  'javascript:1',
  'data:text/html,<script>1</script>',
  'data:,x',
  'blob:https://example.com/uuid',
  'filesystem:http://example.com/temporary/x',
  'about:srcdoc',
  'about:config',
  'about:blank?x',
  'ftp://example.com',
  'ws://example.com',
  'wss://example.com',
  'intent://x#Intent;end',
  'vbscript:x',
  'mailto:a@b.c',
  'unknown:x',
];

describe('where a tab may be sent', () => {
  it.each(PRIVILEGED)('[GU1][T3] %j is refused for every caller, naming the scheme', (url) => {
    expect(() => checkNavigation(url)).toThrow(
      expect.objectContaining({
        code: 'NAV_BLOCKED',
        message: expect.stringMatching(/^Addresses of the kind "[a-z-]+:" may not be opened\.$/),
      }),
    );
    expect(
      answer(() => addressFromText(url)),
      'typed by a person',
    ).toMatch(/^(?:NAV_BLOCKED|BAD_REQUEST)$/);
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['HTTP://EXAMPLE.com:80/A b', 'http://example.com/A%20b'],
    [' https://example.com/ ', 'https://example.com/'],
    ['http://127.0.0.1:3000/x?y#z', 'http://127.0.0.1:3000/x?y#z'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['https://例え.jp/', 'https://xn--r8jz45g.jp/'],
    ['about:blank', 'about:blank'],
    ['ABOUT:blank', 'about:blank'],
  ])('[GU1] %j is opened as %j', (url, href) => {
    expect(createGuard().navigation(url)).toBe(href);
  });

  it.each([
    '',
    'example.com',
    '/relative',
    '//example.com',
    'http://',
    'http://a b/',
    'https://[::1',
    'localhost:3000',
  ])('[GU1] %j is no full address, and the cure is named', (url) => {
    expect(() => checkNavigation(url)).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        message: expect.stringContaining('is not an address: write it in full, for example http'),
      }),
    );
  });

  it.each([
    ['example.com', 'https://example.com/'],
    [' example.com/path?q=1#x ', 'https://example.com/path?q=1#x'],
    ['example.com:8443', 'https://example.com:8443/'],
    ['sub.localhost:3000/x', 'http://sub.localhost:3000/x'],
    ['localhost', 'http://localhost/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['localhost.example.com', 'https://localhost.example.com/'],
    ['127.0.0.1:7401/shop', 'http://127.0.0.1:7401/shop'],
    ['192.168.1.1', 'http://192.168.1.1/'],
    ['[::1]:8080/x', 'http://[::1]:8080/x'],
    ['intranet/wiki', 'https://intranet/wiki'],
    ['intranet:8080', 'https://intranet:8080/'],
    ['例え.jp', 'https://xn--r8jz45g.jp/'],
    ['http://example.com', 'http://example.com/'],
    ['about:blank', 'about:blank'],
  ])('[GU1] when a person types %j, the tab opens %j', (text, href) => {
    expect(addressFromText(text)).toBe(href);
  });

  it.each(['', '   ', 'hello world', 'hello', 'what is example.com', 'me@example.com', '/etc/passwd', '..', 'a..b c'])(
    '[GU1] %j typed by a person is no address',
    (text) => {
      expect(answer(() => addressFromText(text))).toBe('BAD_REQUEST');
    },
  );
});
