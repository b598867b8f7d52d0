'use client';

import type { ReactNode } from 'react';
import { BrandMark } from '@/components/ui/brand-mark';
import { LookMenu } from './look-menu';

/** A page with one message: signed out, not found, crashed. */
export function Notice({
  title,
  heading,
  lead,
  children,
}: {
  title: string;
  heading: string;
  lead: string;
  children?: ReactNode;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <title>{`${title} · Wheelhouse`}</title>
      <header className="flex h-12 items-center gap-2 px-3 text-md font-semibold tracking-tight sm:px-5">
        <BrandMark className="size-[22px]" />
        Wheelhouse
        <span className="flex-1" />
        <LookMenu />
      </header>
      <main id="content" className="mx-auto w-full max-w-[520px] flex-1 px-4 pt-[10vh] pb-12">
        <h1 className="text-2xl font-semibold tracking-tight text-balance">{heading}</h1>
        <p className="mt-2 text-md text-ink-2">{lead}</p>
        {children}
      </main>
    </div>
  );
}
