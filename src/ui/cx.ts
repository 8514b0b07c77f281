/** Joins the class names that apply: `cx('chip', active && 'chip-active')`. */
export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}
