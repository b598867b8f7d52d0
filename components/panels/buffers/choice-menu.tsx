'use client';

import { ListFilter } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
import { Menu, MenuContent, MenuLabel, MenuRadioGroup, MenuRadioItem, MenuTrigger } from '@/components/ui/menu';

interface ChoiceMenuProps {
  label: string;
  value: string;
  choices: readonly { readonly value: string; readonly label: string }[];
  onChoose: (value: string) => void;
  /** True when the choice hides rows. */
  on: boolean;
}

/** A menu of a few choices behind a filter icon. */
export function ChoiceMenu({ label, value, choices, onChoose, on }: ChoiceMenuProps) {
  return (
    <Menu>
      <MenuTrigger>
        <IconButton label={label} size="icon-sm" variant={on ? 'secondary' : 'ghost'}>
          <ListFilter aria-hidden />
        </IconButton>
      </MenuTrigger>
      <MenuContent>
        <MenuRadioGroup value={value} onValueChange={onChoose}>
          <MenuLabel>{label}</MenuLabel>
          {choices.map((choice) => (
            <MenuRadioItem key={choice.value} value={choice.value}>
              {choice.label}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
