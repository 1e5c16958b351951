import { useState } from 'react'
import { chooseTheme, nextTheme, readTheme } from '../app/theme.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { ThemeIcon } from './icons.tsx'

/** Cycles through light, dark and the system's theme. */
export function ThemeButton() {
  const [theme, setTheme] = useState(readTheme)
  const choose = () => {
    chooseTheme(nextTheme(theme))
    setTheme(nextTheme(theme))
  }
  const label = t.ui.themes[theme]
  return (
    <Button kind="quiet" onClick={choose} aria-label={label} title={label}>
      <ThemeIcon theme={theme} />
    </Button>
  )
}
