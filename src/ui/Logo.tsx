/** The product logo: a deck under a mast. Decorative because the name is next to it. */
export function Logo({ size = 18 }: { readonly size?: number }) {
  return (
    <svg
      aria-hidden
      width={size}
      height={size}
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      className="shrink-0 text-accent"
    >
      <path d="M2 12.5h14l-2 3H4z" strokeLinejoin="round" />
      <path d="M9 12.5V3M5 9.5a4 4 0 0 1 4-4 4 4 0 0 1 4 4" strokeLinecap="round" />
      <circle cx="9" cy="2.8" r="1.2" fill="currentColor" stroke="none" />
    </svg>
  );
}
