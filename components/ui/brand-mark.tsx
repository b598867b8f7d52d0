/** The steering wheel of the brand. Decorative: it stands beside the name. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeLinecap="round" className={className}>
      <circle cx="12" cy="12" r="9.5" strokeWidth="2.5" />
      <circle cx="12" cy="12" r="2.25" strokeWidth="2.5" />
      <path strokeWidth="2.5" d="M3.5 10.5 9.75 12M20.5 10.5 14.25 12M12 14.5V21" />
    </svg>
  );
}
