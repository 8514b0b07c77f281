import { useText } from '#src/i18n/i18n.ts';

interface LoadMoreProps {
  readonly load: () => void;
  readonly isLoading: boolean;
  /** The reason why the next page failed to load. */
  readonly problem: string | undefined;
}

/** The last row of a list, which loads the next page. */
export function LoadMore({ load, isLoading, problem }: LoadMoreProps) {
  const t = useText();
  return (
    <>
      <button
        type="button"
        data-row-head=""
        aria-disabled={isLoading || undefined}
        onClick={isLoading ? undefined : load}
        className="w-full px-4 py-2 text-left text-accent hover:bg-surface-2 aria-disabled:text-ink-3"
      >
        {t(isLoading ? 'panel.loadingMore' : 'panel.more')}
      </button>
      {problem !== undefined && (
        <p role="alert" className="px-4 text-error-text">
          {problem}
        </p>
      )}
    </>
  );
}
