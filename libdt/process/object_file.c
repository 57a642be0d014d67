/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of the objects' files that are open. */
#include "libdt/process/object_file.h"

#include <unistd.h>

enum { OPEN_MAX = 256 };

static void leave(struct object_file *file)
{
	struct object_files *all;

	if (!file->is_open)
		return;
	all = foreign_object_files(file->finder);
	*(file->newer ? &file->newer->older : &all->newest) = file->older;
	*(file->older ? &file->older->newer : &all->oldest) = file->newer;
	file->newer = file->older = NULL;
	file->is_open = false;
	all->n--;
}

static void close_file(struct object_file *file)
{
	leave(file);
	elf_end(file->elf);
	file->elf = NULL;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	if (file->found.fd >= 0)
		close(file->found.fd);
	file->found.fd = -1;
}

bool object_file_exists(const struct object_file *file)
{
	return file->finder || file->foreign || file->fd >= 0;
}

void object_file_enter(struct object_file *file)
{
	struct object_files *all;

	if (!file->finder)
		return;
	leave(file);
	all = foreign_object_files(file->finder);
	file->older = all->newest;
	*(all->newest ? &all->newest->newer : &all->oldest) = file;
	all->newest = file;
	file->is_open = true;
	if (++all->n > OPEN_MAX)
		close_file(all->oldest);
}

bool object_file_keep(struct object_file *file)
{
	if (!file->finder)
		return true;
	if (!file->is_open) {
		if (foreign_find_again(file->finder, !file->foreign, &file->found))
			return false;
		if (!file->foreign) {
			file->fd = file->found.own;
			file->found.own = -1;
			file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
		}
	}
	object_file_enter(file);
	return true;
}

void object_file_free(struct object_file *file)
{
	close_file(file);
	foreign_release(&file->found);
}
