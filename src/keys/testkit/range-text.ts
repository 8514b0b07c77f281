import { vi } from 'vitest';

/**
 * Makes `setRangeText` bypass the `value` setter that React watches, as browsers do. happy-dom assigns that property,
 * which makes React treat the following input event as no change.
 */
export function mockSetRangeText(): void {
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  vi.spyOn(HTMLInputElement.prototype, 'setRangeText').mockImplementation(function (
    this: HTMLInputElement,
    text: string,
    start = 0,
    end = start,
  ) {
    value?.set?.call(this, this.value.slice(0, start) + text + this.value.slice(end));
    this.setSelectionRange(start + text.length, start + text.length);
  });
}
