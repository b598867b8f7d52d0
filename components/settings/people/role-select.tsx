'use client';

import { useTranslations } from 'use-intl';
import { Select } from '@/components/ui/select';
import { mayAppoint, ROLES, type Role } from '@/lib/rights/roles';

export interface RoleSelectProps {
  label: string;
  role: Role;
  /** The reader's own role: the list has only roles that they may give. */
  own: Role | undefined;
  labelled?: 'line' | 'inside';
  className?: string;
  onChange: (role: Role) => void;
}

/** A role of the workspace, out of those that the reader may give. */
export function RoleSelect({ label, role, own, labelled = 'line', className, onChange }: RoleSelectProps) {
  const t = useTranslations('settings.people');
  const roles = ROLES.filter((one) => one === role || own === undefined || mayAppoint(own, undefined, one));
  return (
    <Select
      label={label}
      labelled={labelled}
      value={role}
      {...(className !== undefined && { className })}
      options={roles.map((value) => ({ value, label: t(`role.${value}`) }))}
      onValueChange={onChange}
    />
  );
}
