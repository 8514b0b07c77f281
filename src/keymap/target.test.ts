import { expect, test } from 'vitest';

import { isPressable, isTyping } from './target.ts';

/** Returns the element marked with `x`, or the first one. */
function inPage(html: string): Element {
  document.body.innerHTML = html;
  return document.querySelector('[data-x]') ?? document.body.firstElementChild!;
}

test.each([
  '<input>',
  '<input type="text">',
  '<input type="search">',
  '<input type="password">',
  '<input type="number">',
  '<textarea></textarea>',
  '<select></select>',
  '<div contenteditable></div>',
  '<div contenteditable="true"><b data-x>b</b></div>',
  '<div role="textbox"></div>',
  '<div role="searchbox"></div>',
  '<div role="combobox"></div>',
])('recognizes %s as a text field', (html) => {
  expect(isTyping(inPage(html))).toBe(true);
});

test.each([
  '<input type="checkbox">',
  '<input type="radio">',
  '<input type="button">',
  '<input type="submit">',
  '<input type="range">',
  '<input type="file">',
  '<input type="color">',
  '<button>Save</button>',
  '<div contenteditable="false"></div>',
  '<div role="grid" tabindex="0"></div>',
])('leaves shortcuts active on %s', (html) => {
  expect(isTyping(inPage(html))).toBe(false);
});

test.each([
  '<button><b data-x>Save</b></button>',
  '<a href="/devices">Devices</a>',
  '<summary>More</summary>',
  '<input type="checkbox">',
  ...['button', 'tab', 'menuitem', 'option', 'switch', 'checkbox'].map((role) => `<div role="${role}"></div>`),
])('Enter presses %s', (html) => {
  expect(isPressable(inPage(html))).toBe(true);
});

test.each(['<a>Devices</a>', '<div role="grid" tabindex="0"></div>', '<p>Text</p>'])(
  "Enter doesn't press %s",
  (html) => {
    expect(isPressable(inPage(html))).toBe(false);
  },
);

test("non-elements aren't text fields and not pressable", () => {
  for (const target of [null, document, window]) {
    expect([isTyping(target), isPressable(target)]).toEqual([false, false]);
  }
});
