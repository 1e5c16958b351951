import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { direction, language } from '#language/language.ts'
import { App } from './app/app.tsx'
import { loadJoining } from './app/joining.tsx'
import { KeptOpen } from './app/keep-open.tsx'
import { readTheme, showTheme } from './app/theme.ts'
import { Boundary } from './ui/boundary.tsx'
import './main.css'

showTheme(readTheme())
document.documentElement.lang = language
document.documentElement.dir = direction
const root = document.getElementById('root')
if (root) {
  void loadJoining().then(() =>
    createRoot(root).render(
      <StrictMode>
        <Boundary>
          <KeptOpen>
            <App />
          </KeptOpen>
        </Boundary>
      </StrictMode>,
    ),
  )
}
