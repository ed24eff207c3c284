/** The mark: an M made of two peaks on the brand's red. */
export const Mark = () => (
  <svg width="28" height="28" viewBox="0 0 28 28" aria-hidden>
    <rect width="28" height="28" rx="6" fill="#ED4540" />
    <path
      d="M7.5 19.5v-9l6.5 5.5 6.5-5.5v9"
      fill="none"
      stroke="#fff"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
