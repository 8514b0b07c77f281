import type { TipSide } from '#src/ui/tip.ts';

/** Milliseconds before a tooltip is shown (spec 9). */
const SHOW_DELAY_MS = 100;
/** Milliseconds before a tooltip is hidden (spec 9). */
const HIDE_DELAY_MS = 200;

/** A tooltip to show, and its element. */
export interface Tip {
  readonly target: Element;
  readonly text: string;
  readonly keys: string | undefined;
  readonly side: TipSide;
}

/** Elements that truncate their text with an ellipsis. */
const TRUNCATED = '.truncate, .qd-cell';

const isTruncated = (element: Element): boolean => element.scrollWidth > element.clientWidth;

function declaredTip(element: HTMLElement): Tip {
  const { tip: text = '', tipKeys: keys, tipSide: side = 'bottom' } = element.dataset;
  return { target: element, text, keys, side: side as TipSide };
}

function fullTextTip(element: Element): Tip {
  const option = element.closest('[role="option"]');
  if (!option) return { target: element, text: element.textContent.trim(), keys: undefined, side: 'bottom' };
  const labels = [...option.querySelectorAll(TRUNCATED)].filter(isTruncated).map((part) => part.textContent.trim());
  // Beside the list, because below the option it would cover the next options.
  return { target: option, text: labels.join('\n'), keys: undefined, side: 'right' };
}

/**
 * Returns the tooltip of an element: the declared text, or else the full text if it is truncated. There is none while
 * the element's menu or list is open.
 */
export function tipFor(element: Element, focused: boolean): Tip | undefined {
  if (element.closest('[aria-expanded="true"]')) return undefined;
  const tipElement = element.closest<HTMLElement>('[data-tip]');
  if (tipElement) return declaredTip(tipElement);
  const truncatedElement = element.closest(TRUNCATED);
  if (truncatedElement && isTruncated(truncatedElement)) return fullTextTip(truncatedElement);
  const descendant = focused ? [...element.querySelectorAll(TRUNCATED)].find(isTruncated) : undefined;
  return descendant && fullTextTip(descendant);
}

/**
 * Watches for the tooltip to show. Uses one set of listeners for the whole page, because a table has hundreds of cells
 * that can be truncated. Calls `hideNow` when a tooltip must disappear before other listeners see the event. Returns a
 * function that stops watching.
 */
export function watchTips(show: (tip: Tip | undefined) => void, hideNow: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hoveredElement: Element | undefined;
  let position = '';
  // The pointer's position when a tooltip was dismissed. Elements that then move under it don't count as hovered.
  let dismissedPosition: string | undefined;
  let shownTarget: Element | undefined;
  const schedule = (delay: number, task: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(task, delay);
  };
  const set = (tip: Tip | undefined): void => {
    shownTarget = tip?.target;
    show(tip);
  };
  const hide = (): void => {
    if (shownTarget) schedule(HIDE_DELAY_MS, () => set(undefined));
    else clearTimeout(timer);
  };
  const scheduleTip = (element: Element, focused: boolean): void => {
    if (shownTarget?.contains(element)) return clearTimeout(timer);
    // Measures only when the pointer rests, so moving it across a table triggers no layout.
    schedule(SHOW_DELAY_MS, () => {
      const tip = element.isConnected ? tipFor(element, focused) : undefined;
      if (tip) set(tip);
      else if (shownTarget) schedule(HIDE_DELAY_MS - SHOW_DELAY_MS, () => set(undefined));
    });
  };
  const dismiss = (): void => {
    clearTimeout(timer);
    hoveredElement = undefined;
    dismissedPosition = position;
    if (!shownTarget) return;
    shownTarget = undefined;
    hideNow();
  };

  const listeners: readonly (readonly [string, (event: Event) => void, boolean])[] = [
    [
      'pointerover',
      (event) => {
        const { target, pointerType, clientX, clientY } = event as PointerEvent;
        if (!(target instanceof Element) || pointerType === 'touch' || target === hoveredElement) return;
        position = `${clientX} ${clientY}`;
        if (position === dismissedPosition) return;
        dismissedPosition = undefined;
        hoveredElement = target;
        scheduleTip(target, false);
      },
      false,
    ],
    ['pointerout', (event) => (event as PointerEvent).relatedTarget ?? hide(), false],
    [
      'focusin',
      ({ target }) => {
        if (target instanceof Element && target.matches(':focus-visible')) scheduleTip(target, true);
      },
      false,
    ],
    ['focusout', hide, false],
    // Pressing, typing, or scrolling dismisses the tooltip; Escape also goes to the layer below.
    ['pointerdown', dismiss, true],
    ['keydown', dismiss, true],
    ['scroll', dismiss, true],
    ['resize', dismiss, true],
  ];
  for (const [name, listener, capture] of listeners) window.addEventListener(name, listener, { capture });
  return () => {
    clearTimeout(timer);
    for (const [name, listener, capture] of listeners) window.removeEventListener(name, listener, { capture });
  };
}
