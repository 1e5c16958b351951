import { useState } from 'react'
import { chooseTheme, nextTheme, readTheme, type Theme } from '../app/theme.ts'
import { Button } from './button.tsx'
import { ThemeIcon } from './icons.tsx'

const names: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' }

/** Cycles through light, dark and the system's theme. */
export function ThemeButton() {
  const [theme, setTheme] = useState(readTheme)
  const choose = () => {
    chooseTheme(nextTheme(theme))
    setTheme(nextTheme(theme))
  }
  const label = `Theme: ${names[theme]}`
  return (
    <Button kind="quiet" onClick={choose} aria-label={label} title={label}>
      <ThemeIcon theme={theme} />
    </Button>
  )
}
