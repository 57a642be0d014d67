/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * User addresses to names: ustack(), usym(), "%A". A process is looked at when it is first met
 * (usyms_see), because it may be gone when its addresses are printed; if it is gone by then
 * already, the kernel's events about it are used (image_history.h). Objects are opened when an
 * address in them is asked for, and are shared by all processes that map the same file.
 */
#ifndef DT_USYM_H
#define DT_USYM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libdt/base/mem.h"
#include "libdt/process/mmap_events.h"

struct answers; /* libdt/record/answers.h */
struct usyms;
struct foreign;

/* What is wanted of an address: usym() and "%A", ufunc(), umod(), uaddr(). */
enum usym_how { USYM_NAME, USYM_FUNC, USYM_MOD };

/* foreign: the process that reads the files. */
struct usyms *usyms_new(struct foreign *foreign);
void usyms_free(struct usyms *us);
/* What is found is noted there, or taken from there. us may be NULL. */
void usyms_set_answers(struct usyms *us, struct answers *as);
/* Names of C++ and Rust as their sources write them (at first), or as they are in symbol tables.
 * us may be NULL. */
void usyms_demangle(struct usyms *us, bool on);
/* Where processes that programs have recorded have other numbers here than in the kernel: finds
 * the one here, 0 when there is none. */
void usyms_number(struct usyms *us, pid_t (*here)(void *arg, pid_t kernel), void *arg);
/* At most so many bytes are kept of mappings, if it is less than by default; us may be NULL. */
void usyms_limit(struct usyms *us, uint64_t bytes);
/* Remembers what a process has mapped now, besides what it had. */
void usyms_see(struct usyms *us, pid_t pid);
/* For processes that are gone when they are met: as image_history_follow(), image_history_event(),
 * image_history_catch_up() and image_history_forget(). */
void usyms_follow(struct usyms *us, uint64_t (*pull)(void *arg), void *arg);
void usyms_event(struct usyms *us, const struct mmap_event *e);
void usyms_catch_up(struct usyms *us);
void usyms_forget(struct usyms *us, uint64_t time);
/* When the addresses that are looked for from now on were met, CLOCK_MONOTONIC; 0: that is not
 * known. */
void usyms_when(struct usyms *us, uint64_t time);
/*
 * The object ("libc.so.6"; "a.out" for the program itself is its own file's name) and the
 * function that an address is in. name is NULL when only the object is known; off is then the
 * address in the object. False when nothing is known. The texts are valid until the next call.
 */
bool usyms_find(struct usyms *us, pid_t pid, uint64_t addr, const char **mod, const char **name,
		uint64_t *off);
/* Enables -x srclines; see symbols/srcline.h. Without this call there are no source lines. */
struct srclines_user;
void usyms_report_lines(struct usyms *us, const char *command, const struct srclines_user *user);
/* The line of the source that an address is from. False when that is not known. *file is valid
 * until the next call. us may be NULL. */
bool usyms_line(struct usyms *us, pid_t pid, uint64_t addr, const char **file, int *line);
/* An address that is the same for all addresses which print the same, for keys by ufunc() and
 * umod(). */
uint64_t usyms_canon(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how);
/* Adds "libc.so.6`malloc+0x1c", "libc.so.6`0x1234", "libc.so.6" (USYM_MOD) or "0xaddress". us may
 * be NULL. */
void usyms_print(struct usyms *us, pid_t pid, uint64_t addr, enum usym_how how, struct strbuf *out);

#endif
