import { clsx, type ClassValue } from 'clsx';
import { extendTailwindMerge } from 'tailwind-merge';

/** Registers our text sizes that Tailwind does not have, so that a later size replaces an earlier one. */
const merge = extendTailwindMerge({
  extend: { classGroups: { 'font-size': [{ text: ['2xs', 'md'] }] } },
});

/** Joins class names; of two that set the same property the later one wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes));
}
