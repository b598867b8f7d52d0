/**
 * Opens the browser's file chooser; resolves to the chosen files, none when it is closed. Must be called from a press.
 */
export function pickFiles({
  multiple,
  accept = '',
}: {
  readonly multiple: boolean;
  readonly accept?: string;
}): Promise<readonly File[]> {
  return new Promise((resolve) => {
    const field = document.createElement('input');
    field.type = 'file';
    field.multiple = multiple;
    field.accept = accept;
    field.addEventListener('change', () => resolve([...(field.files ?? [])]));
    field.addEventListener('cancel', () => resolve([]));
    field.click();
  });
}
