import { vi } from 'vitest';

/**
 * Lets `setRangeText` write as browsers do: behind the `value` that React watches. happy-dom assigns that property, so
 * that React takes the input event that follows for one without a change.
 */
export function writeRangesAsBrowsers(): void {
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
