import { describe, expect, it } from 'vitest';
import { netErrorMessage } from './net-error';
import { formatMessage } from './format';

describe('netErrorMessage', () => {
  it.each([
    [
      'net::ERR_UNSAFE_PORT',
      'http://a.test:6000/ could not be opened: Chrome keeps that port for another service and never opens pages from it.',
    ],
    ['net::ERR_NAME_NOT_RESOLVED', 'http://a.test:6000/ could not be opened: that name does not exist.'],
    ['net::ERR_CERT_DATE_INVALID', 'http://a.test:6000/ could not be opened: its certificate is not trusted.'],
    ['net::ERR_NEVER_HEARD_OF', 'http://a.test:6000/ could not be opened (net::ERR_NEVER_HEARD_OF).'],
  ])('[AC8] gives %s in plain words', (error, text) => {
    expect(formatMessage(netErrorMessage('http://a.test:6000/', error)).text).toBe(text);
  });
});
