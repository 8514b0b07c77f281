import { Kbd } from '../ui/Kbd.tsx';

export interface Hint {
  readonly keys: string;
  readonly label: string;
}

/** What keys do in the palette now. The last one stands at the right. */
export function Footer({ hints }: { readonly hints: readonly Hint[] }) {
  return (
    <footer className="flex items-center gap-4 border-t border-line px-4 py-2 text-label text-ink-2">
      {hints.map(({ keys, label }, at) => (
        <span key={label} className={at === hints.length - 1 && at > 0 ? 'ml-auto' : undefined}>
          <Kbd keys={keys} framed /> {label}
        </span>
      ))}
    </footer>
  );
}
