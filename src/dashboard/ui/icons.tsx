import type { ReactNode } from 'react'

const draw = (shape: ReactNode, size = 20) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {shape}
  </svg>
)

export const SearchIcon = () =>
  draw(<path d="M12.8 12.8 17 17M14.5 9a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0z" />)
export const DownloadIcon = () => draw(<path d="M10 3v9m-3.5-3.5L10 12l3.5-3.5M3.5 16.5h13" />)
export const UploadIcon = () => draw(<path d="M10 12V3M6.5 6.5 10 3l3.5 3.5M3.5 16.5h13" />)
export const OverviewIcon = () => draw(<path d="M3 16.5h14M5.5 13.5v-4M10 13.5v-9M14.5 13.5v-6" />)
export const PetsIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <ellipse cx="4.6" cy="9.2" rx="1.4" ry="1.8" />
      <ellipse cx="7.9" cy="5.3" rx="1.5" ry="2" />
      <ellipse cx="12.1" cy="5.3" rx="1.5" ry="2" />
      <ellipse cx="15.4" cy="9.2" rx="1.4" ry="1.8" />
      <path d="M10 9.3c2.2 0 4.3 2.3 4.3 4.3 0 1.5-1.1 2.1-2.2 2.1-.8 0-1.4-.3-2.1-.3s-1.3.3-2.1.3c-1.1 0-2.2-.6-2.2-2.1 0-2 2.1-4.3 4.3-4.3z" />
    </>,
    size,
  )
export const OrdersIcon = ({ size }: { size?: number }) =>
  draw(<path d="M4.6 7h10.8l.9 9.5H3.7L4.6 7zM7.2 9.2V5.8a2.8 2.8 0 0 1 5.6 0v3.4" />, size)
export const KeyIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <circle cx="6.8" cy="13.2" r="3.3" />
      <path d="m9.2 10.8 7-7M13.4 6.6l2.2 2.2" />
    </>,
    size,
  )
export const GlobeIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M3 10h14M10 3c2.4 2 3.4 4.4 3.4 7S12.4 15 10 17c-2.4-2-3.4-4.4-3.4-7S7.6 5 10 3z" />
    </>,
    size,
  )
export const ActivityIcon = () => draw(<path d="M2.5 10.5h3.3l2.4-6 3.6 11 2.4-5h3.3" />)
export const WebhookIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <circle cx="10" cy="5.5" r="2.5" />
      <circle cx="5" cy="14" r="2.5" />
      <circle cx="15" cy="14" r="2.5" />
      <path d="m8.8 7.7-2.5 4.1M11.2 7.7l2.5 4.1M7.5 14h5" />
    </>,
    size,
  )
export const DeployIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <path d="M10 12.5V3.8M6.6 7 10 3.6 13.4 7" />
      <path d="M3.5 12.5v2.2c0 .9.7 1.6 1.6 1.6h9.8c.9 0 1.6-.7 1.6-1.6v-2.2" />
    </>,
    size,
  )
export const ProjectsIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <rect x="3" y="3" width="5.8" height="5.8" rx="1.5" />
      <rect x="11.2" y="3" width="5.8" height="5.8" rx="1.5" />
      <rect x="3" y="11.2" width="5.8" height="5.8" rx="1.5" />
      <rect x="11.2" y="11.2" width="5.8" height="5.8" rx="1.5" />
    </>,
    size,
  )
export const BookIcon = () =>
  draw(
    <path d="M10 5.5C8.3 4.3 6 4 3.5 4v11c2.5 0 4.8.3 6.5 1.5 1.7-1.2 4-1.5 6.5-1.5V4c-2.5 0-4.8.3-6.5 1.5zm0 0v11" />,
  )
export const CopyIcon = () =>
  draw(
    <>
      <rect x="7" y="7" width="9.5" height="9.5" rx="2" />
      <path d="M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7" />
    </>,
    18,
  )
export const CheckIcon = () => draw(<path d="m4.5 10.5 3.7 3.7 7.3-8" />, 18)
export const CloseIcon = () => draw(<path d="m5.5 5.5 9 9M14.5 5.5l-9 9" />, 16)
export const ChevronIcon = () => draw(<path d="m7.5 5 5 5-5 5" />, 16)
export const PlusIcon = () => draw(<path d="M10 4v12M4 10h12" />, 18)
export const RefreshIcon = () => draw(<path d="M16 4v4h-4M15.7 8A6.3 6.3 0 1 0 16.3 11" />, 18)
export const MoreIcon = () =>
  draw(
    <g fill="currentColor" stroke="none">
      <circle cx="4.5" cy="10" r="1.5" />
      <circle cx="10" cy="10" r="1.5" />
      <circle cx="15.5" cy="10" r="1.5" />
    </g>,
  )
export const ThemeIcon = ({ theme }: { theme: 'system' | 'light' | 'dark' }) =>
  draw(
    theme === 'dark' ? (
      <path d="M16 11.8A6.6 6.6 0 0 1 8.2 4a6.6 6.6 0 1 0 7.8 7.8z" />
    ) : theme === 'light' ? (
      <>
        <circle cx="10" cy="10" r="3.4" />
        <path d="M10 2.5v1.7M10 15.8v1.7M2.5 10h1.7M15.8 10h1.7M4.7 4.7l1.2 1.2M14.1 14.1l1.2 1.2M15.3 4.7l-1.2 1.2M5.9 14.1l-1.2 1.2" />
      </>
    ) : (
      <>
        <circle cx="10" cy="10" r="6.6" />
        <path d="M10 3.4a6.6 6.6 0 0 1 0 13.2z" fill="currentColor" />
      </>
    ),
    18,
  )
export const WarnIcon = () => draw(<path d="M10 3.2 17.5 16h-15L10 3.2zM10 8v3.6M10 13.9v.1" />)
export const StopIcon = () =>
  draw(
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="m7.5 7.5 5 5M12.5 7.5l-5 5" />
    </>,
  )
export const InfoIcon = () =>
  draw(
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 9.4v4M10 6.7v.1" />
    </>,
  )
export const StepIcon = () => draw(<circle cx="10" cy="10" r="7" />)
export const GoodIcon = () =>
  draw(
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="m7 10.3 2.1 2.1 4-4.4" />
    </>,
  )
export const LockIcon = ({ size }: { size?: number }) =>
  draw(
    <>
      <rect x="4" y="9" width="12" height="8" rx="2" />
      <path d="M6.8 9V6.5a3.2 3.2 0 0 1 6.4 0V9" />
    </>,
    size,
  )
export const DatabaseIcon = () =>
  draw(
    <>
      <ellipse cx="10" cy="5" rx="6" ry="2.2" />
      <path d="M4 5v10c0 1.2 2.7 2.2 6 2.2s6-1 6-2.2V5M4 10c0 1.2 2.7 2.2 6 2.2s6-1 6-2.2" />
    </>,
  )
export const BracesIcon = () =>
  draw(
    <path d="M7.5 3.5c-2 0-2 1-2 2.7S5.3 10 3.5 10c1.8 0 2 1.6 2 3.8s0 2.7 2 2.7M12.5 3.5c2 0 2 1 2 2.7s.2 3.8 2 3.8c-1.8 0-2 1.6-2 3.8s0 2.7-2 2.7" />,
  )
