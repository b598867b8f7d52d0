'use client';

import { Command as Cmdk } from 'cmdk';
import { Search } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useTranslations } from 'use-intl';
import { useStore } from 'zustand';
import { Kbd } from '@/components/ui/kbd';
import { closePalette, paletteStore, type PaletteCommand, type CommandGroup } from './palette-store';

const GROUPS: readonly CommandGroup[] = ['actions', 'sessions', 'pages', 'appearance'];

/** The command palette: all commands of the page, found by typing. Opened by Ctrl/Cmd+K. */
export function Palette() {
  const t = useTranslations('shell.palette');
  const open = useStore(paletteStore, (state) => state.open === 'palette');
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && closePalette()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-40 w-[min(94vw,560px)] -translate-x-1/2 animate-rise overflow-hidden rounded-lg border border-line-strong bg-raised shadow-pop outline-none"
        >
          <Radix.Title className="sr-only">{t('title')}</Radix.Title>
          <CommandList />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function CommandList() {
  const t = useTranslations('shell.palette');
  const commands = useStore(paletteStore, (state) => state.commands);
  const all = [...commands.values()].flat();
  return (
    <Cmdk loop label={t('title')}>
      <div className="flex items-center gap-2.5 border-b border-line px-4">
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <Cmdk.Input
          placeholder={t('placeholder')}
          className="h-12 min-w-0 flex-1 bg-transparent text-md outline-none placeholder:text-ink-3 max-sm:text-lg"
        />
        <Kbd keys={['Esc']} className="max-sm:hidden" />
      </div>
      <Cmdk.List className="max-h-[min(56vh,420px)] scroll-py-2 overflow-y-auto p-2">
        <Cmdk.Empty className="px-2 py-8 text-center text-ink-2">{t('none')}</Cmdk.Empty>
        {GROUPS.map((group) => (
          <Group key={group} heading={t(group)} commands={all.filter((command) => command.group === group)} />
        ))}
      </Cmdk.List>
    </Cmdk>
  );
}

const groupClass =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-3';

function Group({ heading, commands }: { heading: string; commands: readonly PaletteCommand[] }) {
  if (commands.length === 0) return null;
  return (
    <Cmdk.Group heading={heading} className={groupClass}>
      {commands.map((command) => (
        <Line key={command.id} command={command} />
      ))}
    </Cmdk.Group>
  );
}

function Line({ command: { id, label, icon: Icon, keys, keywords, run } }: { command: PaletteCommand }) {
  return (
    <Cmdk.Item
      value={id}
      keywords={[label, ...(keywords ?? [])]}
      onSelect={() => {
        closePalette();
        run();
      }}
      className="flex h-9 cursor-default items-center gap-2.5 rounded-sm px-2 select-none data-[selected=true]:bg-sel pointer-coarse:h-11"
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />}
      <bdi className="min-w-0 flex-1 truncate">{label}</bdi>
      {keys && <Kbd keys={keys} />}
    </Cmdk.Item>
  );
}
