import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { addressOf } from './client-address';

const CONNECTED = '198.51.100.1';

/** A request of a proxy at CONNECTED with these headers. */
function request(headers: Record<string, string>): IncomingMessage {
  const message = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: CONNECTED }));
  Object.assign(message.headers, headers);
  return message;
}

const forwarded = (list: string, hops: number): string => addressOf(request({ 'x-forwarded-for': list }), hops);

describe('the address of a client', () => {
  const cases: readonly (readonly [address: string, list: string, hops: number])[] = [
    [CONNECTED, '203.0.113.7', 0],
    [CONNECTED, '', 0],
    [CONNECTED, '', 1],
    ['203.0.113.7', '203.0.113.7', 1],
    ['203.0.113.7', '6.6.6.6, 203.0.113.7', 1],
    ['203.0.113.7', '6.6.6.6,5.5.5.5,203.0.113.7', 1],
    ['203.0.113.7', `${'6.6.6.6, '.repeat(400)}203.0.113.7`, 1],
    ['203.0.113.7', '6.6.6.6, 203.0.113.7, 10.0.0.2', 2],
    ['203.0.113.7', '203.0.113.7, 10.0.0.2', 2],
    ['203.0.113.7', '6.6.6.6, 203.0.113.7, 10.0.0.3, 10.0.0.2', 3],
    ['203.0.113.7', '203.0.113.7', 3],
    ['203.0.113.7', ' 203.0.113.7 ', 1],
    ['203.0.113.7', '6.6.6.6,\t203.0.113.7', 1],
    ['203.0.113.7', '203.0.113.7:4711', 1],
    ['2001:db8::7', '2001:db8::7', 1],
    ['2001:db8::7', '[2001:db8::7]', 1],
    ['2001:db8::7', '[2001:db8::7]:4711', 1],
    ['::ffff:203.0.113.7', '::ffff:203.0.113.7', 1],
    [CONNECTED, '6.6.6.6, unknown', 1],
    [CONNECTED, '6.6.6.6, _hidden', 1],
    [CONNECTED, '6.6.6.6,', 1],
    [CONNECTED, ',', 1],
    [CONNECTED, '6.6.6.6, 203.0.113.256', 1],
    [CONNECTED, '6.6.6.6, 203.0.113.7:port', 1],
    [CONNECTED, '6.6.6.6, [203.0.113.7', 1],
    [CONNECTED, '6.6.6.6, 0x7f.1', 1],
    [CONNECTED, '6.6.6.6, 2130706433', 1],
    [CONNECTED, '6.6.6.6, "203.0.113.7"', 1],
    [CONNECTED, '6.6.6.6, for=203.0.113.7', 1],
    [CONNECTED, '6.6.6.6, 203.0.113.7; rm', 1],
    [CONNECTED, '6.6.6.6, 203.0.113.7 5.5.5.5', 1],
    [CONNECTED, '6.6.6.6, ::1::', 1],
  ];

  it.each(cases)('[T26] is %s for X-Forwarded-For "%s" behind %i proxies', (address, list, hops) => {
    expect(forwarded(list, hops)).toBe(address);
  });

  it.each([
    'forwarded',
    'x-real-ip',
    'x-client-ip',
    'cf-connecting-ip',
    'true-client-ip',
    'x-forwarded',
    'x-cluster-client-ip',
    'via',
  ])('[T26] no other header says it: %s', (name) => {
    expect(addressOf(request({ [name]: '6.6.6.6' }), 1)).toBe(CONNECTED);
  });
});
