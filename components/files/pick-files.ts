/**
 * Asks the person for files of this computer by the browser's own chooser; none when they close it. Call it from a
 * press.
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
