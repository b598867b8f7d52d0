import type { Page } from '@playwright/test';
import type { Words } from './words';

/** Writes the note that an agent gets with the wheel; phones have its field in a sheet. */
export async function writeNote(page: Page, t: Words, agent: string, note: string): Promise<void> {
  const name = t('cockpit.lease.note', { name: agent });
  const sheet = page.getByRole('button', { name });
  const field = page.getByRole('textbox', { name });
  await sheet.or(field).first().waitFor();
  if (!(await sheet.isVisible())) return field.first().fill(note);
  await sheet.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name }).fill(note);
  await dialog
    .getByRole('button', { name: t('common.close') })
    .last()
    .click();
}
