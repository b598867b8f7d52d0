'use client';

import type { ReactNode } from 'react';
import { LookMenu } from '@/components/shell/look-menu';
import { BrandMark } from '@/components/ui/brand-mark';

export interface AccountFrameProps {
  title: string;
  heading: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
  /** Below the card. */
  below?: ReactNode;
}

/** The frame of the pages for people who are not signed in: one card in the middle. */
export function AccountFrame({ title, heading, lead, children, below }: AccountFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Wheelhouse`}</title>
      <header className="flex h-12 items-center justify-end px-3 sm:px-5">
        <LookMenu />
      </header>
      <main id="content" className="mx-auto w-full max-w-[408px] flex-1 px-4 pt-[7vh] pb-12 max-sm:pt-4">
        <p className="flex items-center gap-2 text-md font-semibold tracking-tight">
          <BrandMark className="size-[22px]" />
          Wheelhouse
        </p>
        <h1 className="mt-6 text-2xl font-semibold tracking-tight text-balance">{heading}</h1>
        {lead && <p className="mt-1.5 text-md text-ink-2">{lead}</p>}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
        {below && <div className="mt-8">{below}</div>}
      </main>
    </div>
  );
}

/** A line with a word between two ways to do the same. */
export function Or({ word }: { word: string }) {
  return (
    <p className="flex items-center gap-3 text-xs text-ink-3">
      <span aria-hidden className="h-px flex-1 bg-line" />
      {word}
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}
