// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { MessagesProvider } from '@/components/messages/provider';
import { clockDifference } from '@/components/session-client/account-api';
import { ClocksApart } from './clocks';

afterEach(cleanup);

it('[AU2] clocks that are more than 30 seconds apart are both shown where a code is asked for', () => {
  const browser = Date.parse('2026-01-01T12:00:00Z');
  const said = (server: string) => {
    render(
      <MessagesProvider locale="en">
        <ClocksApart difference={clockDifference(server, browser)} />
      </MessagesProvider>,
    );
    const note = screen.queryByRole('note')?.textContent;
    cleanup();
    return note;
  };

  expect(['2026-01-01T12:00:30Z', '2026-01-01T11:59:30Z'].map(said)).toEqual([undefined, undefined]);
  for (const apart of ['2026-01-01T12:00:31Z', '2026-01-01T11:59:29Z'])
    expect(said(apart)).toMatch(/apart.*Server .*\d+:\d+:\d+.* this browser .*\d+:\d+:\d+/);
});
