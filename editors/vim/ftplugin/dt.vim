" SPDX-License-Identifier: GPL-2.0-or-later
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=/*\ %s\ */ comments=sr:/*,mb:*,ex:*/ formatoptions-=t formatoptions+=croql
setlocal cindent cinoptions=:0,t0
let b:undo_ftplugin = "setlocal commentstring< comments< formatoptions< cindent< cinoptions<"

compiler dt
