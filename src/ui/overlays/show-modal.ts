/**
 * Opens a modal dialog with focus on the given field, or on the dialog's first focusable element if it has none.
 *
 * The browser would first focus the first focusable element, which in Chromium may be a list that scrolls. Moving focus
 * from there to the field takes several milliseconds because each move updates styles.
 */
export function showModal(dialog: HTMLDialogElement, field: HTMLElement | null): void {
  field?.setAttribute('autofocus', '');
  dialog.showModal();
  if (document.activeElement !== field) field?.focus();
}
