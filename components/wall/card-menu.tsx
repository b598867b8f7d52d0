'use client';

import { CircleX, Ellipsis, Link2, Pencil, Share2, ShipWheel, SquareArrowOutUpRight, Undo2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useMay } from '@/components/session-client/use-session-client';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu';
import { titleOf } from './entry-text';
import type { CardHandlers } from './card-handlers';
import type { WallEntry } from './wall-list';

/** The menu with all commands of a card. */
export function CardMenu({ entry, handlers }: { entry: WallEntry; handlers: CardHandlers }) {
  const t = useTranslations('wall.card');
  const lease = useTranslations('lease');
  const share = useTranslations('share');
  const { actions, onShare, onRename, onEnd } = handlers;
  const mayDrive = useMay('drive');
  const mayShare = useMay('share');
  return (
    <Menu>
      <MenuTrigger>
        <IconButton size="icon-sm" label={t('actions', { name: titleOf(entry) })} className="relative z-10">
          <Ellipsis aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => actions.open(entry)}>
          <SquareArrowOutUpRight aria-hidden />
          {t('open')}
        </MenuItem>
        {entry.lease.mine ? (
          <MenuItem onSelect={() => void actions.handBack(entry)}>
            <Undo2 aria-hidden />
            {lease('handBack')}
          </MenuItem>
        ) : (
          <MenuItem
            disabled={!mayDrive || !entry.tab || entry.session.state !== 'live'}
            onSelect={() => void actions.take(entry)}
          >
            <ShipWheel aria-hidden />
            {t('takeStay')}
          </MenuItem>
        )}
        {mayShare && (
          <MenuItem onSelect={() => onShare(entry)}>
            <Share2 aria-hidden />
            {share('shareMenu')}
          </MenuItem>
        )}
        <MenuItem onSelect={() => void actions.copyLink(entry)}>
          <Link2 aria-hidden />
          {t('copyLink')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem disabled={!mayDrive} onSelect={() => onRename(entry)}>
          <Pencil aria-hidden />
          {t('rename')}
        </MenuItem>
        <MenuItem danger disabled={!mayDrive} onSelect={() => onEnd(entry)}>
          <CircleX aria-hidden />
          {t('end')}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
