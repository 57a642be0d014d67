#pragma D option timefmt=%H %M
#pragma D option nspec=4 * 2
BEGIN { exit(0); }
