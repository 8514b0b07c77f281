import { expect as base, type ExpectMatcherState, type Locator, type Page } from '@playwright/test';

type Outcome = Promise<{ pass: boolean; message: () => string }>;
type Matchers = Record<string, (...args: readonly unknown[]) => Promise<void>>;
type Wait = Pick<ExpectMatcherState, 'isNot' | 'timeout'>;

/** Finds the options of a matcher among its arguments. */
const hasTimeout = (argument: unknown): argument is { readonly timeout: number } =>
  typeof argument === 'object' && argument !== null && 'timeout' in argument;

/** Describes a failure. Waiting is over by then. */
const describingExpect = base.configure({ timeout: 1000 });

/** Wraps a matcher of Playwright so that it waits for a condition first, which it then finds fulfilled. */
function waitFirst<Actual>(name: string, wait: (actual: Actual, options: Wait, expected: unknown) => Promise<unknown>) {
  return async function (this: ExpectMatcherState, actual: Actual, ...args: readonly unknown[]): Outcome {
    const { timeout } = args.find(hasTimeout) ?? this;
    const isFulfilled = await wait(actual, { isNot: this.isNot, timeout }, args[0]).then(
      () => true,
      () => false,
    );
    const assertion = (isFulfilled ? base : describingExpect)(actual);
    const matchers = (this.isNot ? assertion.not : assertion) as unknown as Matchers;
    try {
      await matchers[name]?.(...args);
      return { pass: !this.isNot, message: () => '' };
    } catch (error) {
      return { pass: this.isNot, message: () => (error as Error).message };
    }
  };
}

/** The element exists, unless the matcher is negated. Then no element is needed. */
const waitForElement = async (locator: Locator, { isNot, timeout }: Wait): Promise<void> => {
  if (!isNot) await locator.first().waitFor({ state: 'attached', timeout });
};

const waitForVisibility =
  (visible: boolean) =>
  async (locator: Locator, { isNot, timeout }: Wait): Promise<void> =>
    locator.waitFor({ state: visible === isNot ? 'hidden' : 'visible', timeout });

const waitForUrl = async (page: Page, { isNot, timeout }: Wait, expected: unknown): Promise<void> => {
  if (!isNot) await page.waitForURL(expected as Parameters<Page['waitForURL']>[0], { waitUntil: 'commit', timeout });
};

/**
 * Playwright's `expect`, except that its most frequent matchers wait for the element or the URL before checking
 * anything. While an element does not exist, they would describe the whole page for the report several times a second,
 * which takes a seventh of the page's time.
 */
export const expect = base.extend({
  toBeFocused: waitFirst('toBeFocused', waitForElement),
  toBeHidden: waitFirst('toBeHidden', waitForVisibility(false)),
  toBeVisible: waitFirst('toBeVisible', waitForVisibility(true)),
  toContainText: waitFirst('toContainText', waitForElement),
  toHaveAttribute: waitFirst('toHaveAttribute', waitForElement),
  toHaveText: waitFirst('toHaveText', waitForElement),
  toHaveURL: waitFirst('toHaveURL', waitForUrl),
  toHaveValue: waitFirst('toHaveValue', waitForElement),
}) as typeof base;
