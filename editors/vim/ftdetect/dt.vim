" SPDX-License-Identifier: GPL-2.0-or-later
" Scripts of dtrace(8): those with #!...dtrace, and files *.d with a pragma of D. Other files *.d
" stay what Vim finds: its own type "dtrace", or the language D.
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<dtrace\>' | set filetype=dt | endif
autocmd BufNewFile,BufRead *.d if match(getline(1, 100), '^#pragma\s\+D\s') >= 0 |
	\ set filetype=dt | endif
