# SPDX-License-Identifier: GPL-2.0-or-later
# Completion of dtrace(8) for bash 4.4 or later, with or without the package bash-completion.
# dtrace itself says how a word may go on (-x complete), so that the lists are those of the version
# that is installed. A program of that name which does not know the option completes nothing.

# Splits the line up to the cursor: words, cur (both without quotes) and quote, the open one.
_dtrace_split() {
	local rest=${COMP_LINE:0:COMP_POINT} word='' in=''

	words=() quote=''
	while [[ $rest ]]; do
		if [[ $quote == "'" ]]; then
			[[ $rest =~ ^[^\']+ ]]
		elif [[ $quote ]]; then
			[[ $rest =~ ^[^\"\\]+ ]]
		else
			[[ $rest =~ ^[^\"\'\\[:space:]]+ ]]
		fi && {
			word+=${BASH_REMATCH[0]} in=1 rest=${rest:${#BASH_REMATCH[0]}}
			continue
		}
		case $quote${rest:0:1} in
		\'\' | \"\") quote='' ;;
		\' | \") quote=${rest:0:1} in=1 ;;
		\\ | \"\\) word+=${rest:1:1} in=1 rest=${rest:1} ;;
		*)
			[[ $in ]] && words+=("$word")
			word='' in=''
			;;
		esac
		rest=${rest:1}
	done
	cur=$word
}

# Sets program: the dtrace of PATH. What a path names is run only when it is the user's own:
# pressing the tabulator in a directory of others must not run their programs.
_dtrace_program() {
	program=${1/#\~\//$HOME/}
	[[ $program == */* && -f $program && -x $program && -O $program ]] && return
	program=$(PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin type -P dtrace)
}

# Sets option and value: the option whose argument the word is, and how much of that is there;
# target: -p, for $target.
_dtrace_option() {
	local word arguments='bcDfiILmnopPsUWxX' i

	option='' value=$cur listing='' target=()
	for ((i = 1; i <= ${#words[@]}; i++)); do
		if ((i < ${#words[@]})); then word=${words[i]}; else word=$cur; fi
		if [[ $option == -- ]]; then
			continue
		elif [[ $option ]]; then # its argument
			[[ $option == p ]] && target=(-p "$word")
			((i < ${#words[@]})) && option=''
		elif [[ $word == -- ]]; then
			((i < ${#words[@]})) && option=--
		elif [[ $word =~ ^-([^$arguments-]*)([$arguments])(.*)$ ]]; then
			[[ ${BASH_REMATCH[1]} == *l* ]] && listing=1
			if ((i == ${#words[@]})) && [[ ${BASH_REMATCH[3]} ]]; then
				option=${BASH_REMATCH[2]} value=${BASH_REMATCH[3]}
			elif ((i < ${#words[@]})) && [[ ! ${BASH_REMATCH[3]} ]]; then
				option=${BASH_REMATCH[2]}
			elif [[ ${BASH_REMATCH[2]} == p ]]; then
				target=(-p "${BASH_REMATCH[3]}")
			fi
		elif [[ $word == -*l* ]]; then
			listing=1
		fi
	done
}

# The lines that dtrace offers for an option and the text after it. readline replaces what follows
# the last of its separators, or the quote.
_dtrace_ask() {
	local before=${cur%"$value"} line keep='' set program sep

	_dtrace_program "$command"
	[[ $program ]] || return
	if [[ ! $quote ]]; then
		for sep in : = @; do
			[[ $COMP_WORDBREAKS == *"$sep"* && $cur == *"$sep"* ]] || continue
			set=${cur%"$sep"*}$sep
			((${#set} > ${#keep})) && keep=$set
		done
	fi
	while IFS= read -r line; do
		line=$before${line%%$'\t'*}
		[[ $line == "$cur"* ]] || continue
		line=${line:${#keep}}
		[[ $quote ]] || { line=${line//\*/\\*} && line=${line//\$/\\$}; }
		COMPREPLY+=("$line")
	done < <("$program" "${target[@]}" -x "complete=$1$value" </dev/null 2>/dev/null)
	# More follows. Only a second word keeps readline from closing the quotes.
	[[ $quote || ${COMPREPLY[0]} == *[:=_] ]] && compopt -o nospace 2>/dev/null
	[[ $quote && ${#COMPREPLY[@]} == 1 ]] && COMPREPLY+=("$COMPREPLY ")
}

_dtrace_pids() {
	local dir

	for dir in /proc/[1-9]*/; do
		dir=${dir#/proc/}
		[[ $dir == "$value"* ]] && COMPREPLY+=("${dir%/}")
	done
}

_dtrace() {
	local words cur quote option value listing target command=$1

	COMPREPLY=()
	_dtrace_split
	_dtrace_option
	case $option in
	[Pmfnx]) _dtrace_ask "-$option" ;;
	X) COMPREPLY=($(compgen -W 'a c s t' -- "$value")) ;;
	p) _dtrace_pids ;;
	c | W) COMPREPLY=($(compgen -c -- "$value")) ;;
	I | L) compopt -o dirnames 2>/dev/null ;;
	b | D | i | U) ;;
	'')
		if [[ $cur == -* ]]; then
			_dtrace_letters
		elif [[ $listing && $cur ]]; then
			_dtrace_ask -n
		else
			compopt -o default 2>/dev/null
		fi
		;;
	*) compopt -o default 2>/dev/null ;;
	esac
	[[ $option == [cpWX] ]] && COMPREPLY=("${COMPREPLY[@]/#/${cur%"$value"}}")
	return 0
}

# Options: all after one dash.
_dtrace_letters() {
	local program line

	_dtrace_program "$command"
	[[ $program ]] || return
	while IFS= read -r line; do
		line=${line%%$'\t'*}
		[[ $line == "$cur"* ]] && COMPREPLY+=("$line")
	done < <("$program" -x complete=- </dev/null 2>/dev/null)
}

complete -F _dtrace dtrace
